W=dict(from_none=(20,20),from_zeros=(0,0),set_to_zero=(20,20),set_to_none=(0,0),forward_twice=(20,20))
measured={"tries":20,"by_way":{"table":[dict(way=k,wrong=a,doubled=b) for k,(a,b) in W.items()]},"one_place":True}
