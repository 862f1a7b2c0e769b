"""The semantic ids of the blog: name -> key and meaning.

`SHARED` ids mean the same in both versions. An id in `LOCAL` belongs to a piece that only one theme has; what it leads to
is reachable by a shared one in the other version.
"""

SHARED = {
    "archive.open": "month, as 2024-03: link to the archive of a month",
    "author.open": "slug: link to the posts of an author",
    "category.open": "slug: link to the archive of a category",
    "comment.author": "field: name of the commenter",
    "comment.back": "link from a refused comment back to the post",
    "comment.body": "comment id: the text of a comment",
    "comment.cancel": "link that gives up the answer to a comment",
    "comment.consent": "box: remember name, e-mail address and website",
    "comment.email": "field: e-mail address of the commenter",
    "comment.open": "comment id: link to a comment, on its date",
    "comment.parent": "hidden field: the comment answered",
    "comment.reply": "comment id: link to the form that answers a comment",
    "comment.submit": "button that sends a comment",
    "comment.text": "field: text of the comment",
    "comment.url": "field: website of the commenter",
    "date.open": "post id: link to a post, on its date",
    "feed.next": "link to the next page of a listing",
    "feed.page": "number: link to a page of a listing",
    "feed.previous": "link to the previous page of a listing",
    "feed.title": "heading of an archive or of search results",
    "image": "image id: a picture",
    "nav.home": "menu entry of the front page",
    "nav.page": "slug: menu entry of a page",
    "page.missing": "what the page of an address that does not exist says",
    "page.open": "page id: link to a page, on its title in search results",
    "post.author": "post id: who wrote a post",
    "post.comments": "post id: link to the comments of a post",
    "post.content": "post id: the content of a post or page",
    "post.date": "post id: when a post was published",
    "post.excerpt": "post id: the excerpt of a post in a listing",
    "post.next": "id of the next post: link to it",
    "post.open": "post id: link to a post, on its title in a listing",
    "post.previous": "id of the previous post: link to it",
    "post.title": "post id: the title of a post or page, in a listing or on its own page",
    "recent-comment.open": "comment id: link in the recent comments",
    "recent.open": "post id: link in the recent posts",
    "search.submit": "button that searches",
    "search.text": "field: words to search for",
    "site.home": "the site's title: link to the front page",
    "tag.open": "slug: link to the archive of a tag",
}

LOCAL = {
    "v1": {
        "author.posts": "slug: link to the author's posts in the box under a post",
        "crumb.category": "slug: category above a post in the path",
        "crumb.home": "front page in the path",
        "featured.open": "post id: link to a post in the featured block",
        "menu.category": "slug: menu entry of a category",
        "menu.expand": "slug: opens the sub-categories in the menu",
        "more.open": "post id: Read More under an excerpt",
        "thumbnail.open": "post id: link to a post, on its picture in a listing",
    },
    "v2": {},
}
