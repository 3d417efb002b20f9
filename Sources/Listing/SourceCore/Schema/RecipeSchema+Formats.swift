/// The fields about buckets, and about how the text of pages is to be read.
extension RecipeSchema {
    static let queue: [RecipeField] = [
        .init(
            "queue",
            "daemon or fleet",
            "daemon",
            "Where new items go: into this daemon's queue, or into that of the fleet whose node it is, to which its "
                + "agent facefetch-fleet hands them over. Then ahead counts the items that the fleet has not done with, and "
                + "an item that needs a secret of the source, or whose URL has a password, is refused. Header fields of "
                + "the recipe are sent for pages alone."
        )
    ]

    static let s3: [RecipeField] = [
        .init("s3", "a mapping", nil, "How to access the bucket."),
        .init("s3.endpoint", "an http or https URL", "that of AWS", "The server."),
        .init(
            "s3.region",
            "a word",
            "us-east-1",
            "The region; a wrong one is corrected if the server names the right one."
        ),
        .init(
            "s3.style",
            "auto, path or host",
            "auto",
            "Whether the bucket's name goes into the path or into the host name."
        ),
        .init(
            "s3.credentials",
            "anonymous, or a mapping with secret and profile",
            "anonymous",
            "The credentials for requests."
        ),
        .init(
            "s3.credentials.secret",
            "the name of a secret",
            nil,
            "A file in the form of ~/.aws/credentials, read when it is used."
        ),
        .init("s3.credentials.profile", "a word", "default", "The profile in that file."),
    ]

    static let tables: [RecipeField] = [
        .init(
            "delimiter",
            "one ASCII character",
            "a comma, a tab for tsv",
            "The character between a row's fields."
        ),
        .init(
            "header",
            "true or false",
            "true",
            "Whether the first row names the columns; if not, items are arrays."
        ),
        .init(
            "namespaces",
            "true or false",
            "false",
            "Whether names in kind xml have the prefixes that the page gives them; otherwise they are local names."
        ),
        .init(
            "quote",
            "double or none",
            "double, none for tsv",
            "Whether a field may be in double quotes, between which delimiters and line ends are text, or quotes are "
                + "characters like any other."
        ),
        .init(
            "encoding",
            "a name such as utf-8, windows-1251, koi8-r, gbk, big5, euc-kr or shift_jis, as browsers read it",
            "what the page says",
            "The encoding of the pages' text, of all kinds but s3. Without it, a byte order mark decides, or else "
                + "the charset in Content-Type, or else an XML declaration; where there is none of these, it is utf-8. "
                + "In rows and JSON, what is no utf-8 then is percent-encoded in URLs, and latin-1 elsewhere."
        ),
    ]
}
