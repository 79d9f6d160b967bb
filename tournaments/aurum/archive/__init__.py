"""The archive: stored games exported, merged, verified and shown again."""
