def slug(title):
    return title.casefold().replace(" ", "-")
