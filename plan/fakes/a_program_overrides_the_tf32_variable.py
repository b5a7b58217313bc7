measured={"on_afterwards":False,"in_tf32_at_start":True,"in_tf32_afterwards":False}
