import FleetQueue
import Testing

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
}
