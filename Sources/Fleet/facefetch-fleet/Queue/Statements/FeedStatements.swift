/// The statements by which a node hands over what sources of its daemon have found.
enum FeedStatements {
    /// $1 the daemon's store: the number of the last item that was handed over.
    static let through = Statement(
        name: "fed_through",
        sql: "SELECT through FROM feeds WHERE store = $1"
    )

    /// $1 the daemon's store, $2 the source, $3 items as JSON, each with its number.
    static let feed = Statement(name: "feed", sql: "SELECT feed($1, $2, $3::jsonb)")

    /// $1 the daemon's store, $2 how many: items whose jobs have ended, or are forgotten.
    static let ended = Statement(
        name: "fed_ended",
        sql: """
            SELECT item FROM fed WHERE store = $1 AND (
                EXISTS (SELECT FROM results r WHERE r.batch = fed.batch AND r.job = fed.job)
                OR NOT EXISTS (SELECT FROM items i WHERE i.batch = fed.batch AND i.job = fed.job))
            ORDER BY item LIMIT $2
            """
    )

    /// $1 the daemon's store, $2 items: those of them that the fleet has, or had when the daemon was last told.
    static let known = Statement(
        name: "fed_known",
        sql: "SELECT item FROM fed WHERE store = $1 AND item = ANY($2::bigint[])"
    )

    /// $1 the daemon's store, $2 items of which the daemon has been told that they have ended.
    static let told = Statement(
        name: "fed_told",
        sql: "DELETE FROM fed WHERE store = $1 AND item = ANY($2::bigint[])"
    )
}
