measured={"tries":10,"by_mode":{"table":[{"mode":m,"thread_right":10,"graph_right":10} for m in ("thread_local","relaxed")]},"batch_bytes":2**28,"right":True}
