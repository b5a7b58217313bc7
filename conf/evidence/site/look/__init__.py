"""How things look: nodes, words, evidence; what directives, tables and pages share."""
