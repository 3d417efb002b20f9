/// The statements about the lives of a fleet.
enum LifeStatements {
    /// An expression of the newest life's id.
    static let current = "SELECT id FROM lives ORDER BY life DESC LIMIT 1"

    /// The present life's id, null if it is over; and that of the newest.
    static let life = Statement(name: "life", sql: "SELECT life(), (\(current))")

    /// $1 the newest life's id: begins another, unless somebody has, or init has to.
    static let begin = Statement(name: "begin_life", sql: "SELECT begin_life($1)")

    /// All lives by age, with their first transactions, and the database's next one.
    static let all = Statement(
        name: "lives",
        sql: "SELECT id, first, pg_snapshot_xmax(pg_current_snapshot()) FROM lives ORDER BY life"
    )
}
