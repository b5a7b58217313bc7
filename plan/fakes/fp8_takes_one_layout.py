W=["as above","17 rows","FP32 result","FP8 result","BF16 bias","E5M2 by E4M3","a scale per row","second matrix row by row","first matrix transposed","2,040 terms","4,090 columns","E5M2 by E5M2","FP32 bias","FP64 scale","scale per row of one","three dimensions","BF16 matrices"]
measured={"error_share":.244,"cast_error_share":.242,"bf16_error_share":.0235,"ways":{"table":[{"way":w,"outcome":"runs" if i<7 else "ValueError" if w=="E5M2 by E5M2" else "RuntimeError"} for i,w in enumerate(W)]},"tried":17,"ran":7,
"row_by_row":RuntimeError("Only multiplication of row-major and column-major matrices is supported by cuBLASLt"),
"odd_terms":RuntimeError("Expected trailing dimension of mat1 to be divisible by 16 but got mat1 shape: (1024x2040)."),
"backward":RuntimeError("derivative for aten::_scaled_mm is not implemented")}
