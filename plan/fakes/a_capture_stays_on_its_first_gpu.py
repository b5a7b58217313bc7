measured={"tries":10,"by_case":{"table":[
{"case":"nothing","added":0,"error":"none"},{"case":"set_device after a capture","added":0,"error":"none"},
{"case":"set_device at the start","added":10,"error":"none"},{"case":"a stream of the second GPU","added":10,"error":"none"}]}}