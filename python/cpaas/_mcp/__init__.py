"""The command `cpaas mcp`: a server of the Model Context Protocol."""
