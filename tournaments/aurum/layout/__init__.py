"""How rows of figures look: as text of a given width, GitHub Markdown, a page of HTML, or CSV."""
