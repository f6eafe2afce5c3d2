"""Features of classes, fighting styles, feats and creatures."""
