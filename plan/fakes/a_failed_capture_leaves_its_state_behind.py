measured={"tries":5,"by_error":{"table":[{"error":"Python","strayed":0,"random_failed":0},{"error":"PyTorch","strayed":0,"random_failed":0},{"error":"CUDA","strayed":5,"random_failed":5}]},
"random_says":"Offset increment outside graph capture encountered unexpectedly.","repaired":True,"half_added":1.0,"replay_says":"Called CUDAGraph::replay without a preceding successful capture."}
