import Testing

@testable import facefetch_fleet

@Suite("Arrays as text")
struct ArrayTextTests {
    @Test("Numbers and texts are quoted as PostgreSQL reads them, and nil is NULL")
    func quotes() {
        #expect(ArrayText.of([1, nil, -3] as [Int64?]) == "{1,NULL,-3}")
        #expect(ArrayText.of([Int64?]()) == "{}")
        #expect(ArrayText.of(["a", nil, "NULL", "", #"q"\,{}"#]) == #"{"a",NULL,"NULL","","q\"\\,{}"}"#)
    }
}
