"""What results say, and how surely: models, estimates and tests as pure functions of counts."""
