M=2**20
measured={"by_time":{"table":[
{"asked":"before","given_back_bytes":128*M,"private_bytes":0,"reused":True,"fits":True},
{"asked":"failed","given_back_bytes":0,"private_bytes":66*M,"reused":False,"fits":False},
{"asked":"told","given_back_bytes":128*M,"private_bytes":0,"reused":True,"fits":True}]},
"second_try_says":"beginAllocateToPool: already recording to mempool_id"}
