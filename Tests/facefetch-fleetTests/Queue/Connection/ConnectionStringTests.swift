import Testing

@testable import facefetch_fleet

@Suite("Connection strings")
struct ConnectionStringTests {
    @Test(
        "A password is seen in each form that libpq takes",
        arguments: [
            ("host=h dbname=d password=x", true), ("postgresql://u:x@h/d", true),
            ("host=h PASSWORD=x", false),
            ("host=h user=u dbname='password=x'", false), ("postgresql://u@h/d?sslpassword=x", true),
            ("password=", true),
            ("what?", false),
        ]
    )
    func passwords(text: String, has: Bool) {
        #expect(ConnectionString.hasPassword(text) == has)
    }

    @Test(
        "What libpq reads otherwise than it is meant is known, and what it takes is taken",
        arguments: [
            ("facefetch", true), ("host=h dbname=d", true), ("host=h password='two words'", true),
            ("password=two words host=h", false), ("host=h password=s3cret=x pass=y", false),
            ("password='two", false), ("postgresql://u:p%2Fq@h/d", true),
            ("postgres://h,i:7/d?sslmode=require", true),
            ("postgresql://u:p/q@h/d", false), ("postgresql://u:p@q@h/d", false),
            // All up to the @ is the password's, but for a slash.
            ("postgresql://u:p?q@h/d", true), ("postgresql://u:p@q?r@h/d", false),
            ("postgresql:///d?host=/run/postgresql", true), ("postgresql://u:%zz@h/d", false),
        ]
    )
    func readable(text: String, isReadable: Bool) {
        #expect(ConnectionString.isReadable(text) == isReadable)
    }
}
