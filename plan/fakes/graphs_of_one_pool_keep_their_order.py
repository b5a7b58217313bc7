W=dict(as_captured=(0,0),the_other_way_round=(0,30),copied_in_between=(0,0),from_two_pools=(0,0))
measured={"tries":30,"shared":True,"by_way":{"table":[{"way":k,"first":a,"second":b} for k,(a,b) in W.items()]},"left":"the first graph's sum"}
