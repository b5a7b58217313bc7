measured={"steps":30,"bad":3,"skipped":3,"scales_same":30,"moved_same":30,"scales_seen":3,"error_share":0.0002}
