import Testing

@testable import DocumentStore

/// Tests of which pictures make room.
struct PictureBudgetTests {
    private func kept(
        _ name: String,
        thumb: Bool = true,
        used: Int64,
        length: Int64 = 100
    ) -> PictureBudget.Kept {
        PictureBudget.Kept(name: name, isThumb: thumb, used: used, length: length)
    }

    private func names(_ kept: [PictureBudget.Kept], budget: Int64) -> [String] {
        PictureBudget.excess(of: kept, budget: budget).map(\.name)
    }

    @Test("Within the budget nothing goes, to the last byte")
    func within() {
        let pictures = (1...8).map { kept("\($0)", used: Int64($0)) }
        #expect(names(pictures, budget: 800).isEmpty)
        #expect(names([], budget: 0).isEmpty)
    }

    @Test("Beyond it, what was used longest ago goes, until an eighth of the budget is free")
    func oldest() {
        let pictures = [5, 3, 9, 1, 7, 2, 8, 4, 6].map { kept("\($0)", used: $0) }
        #expect(names(pictures, budget: 800) == ["1", "2"])
    }

    @Test("Previews go before thumbnails, however lately they were used")
    func previewsFirst() {
        let pictures = [
            kept("thumb", used: 1), kept("new preview", thumb: false, used: 9),
            kept("old preview", thumb: false, used: 2), kept("other thumb", used: 3),
        ]
        #expect(names(pictures, budget: 399) == ["old preview"])
        #expect(names(pictures, budget: 200) == ["old preview", "new preview", "thumb"])
    }

    @Test("With no budget nothing stays")
    func none() {
        #expect(names([kept("a", used: 1), kept("b", thumb: false, used: 2)], budget: 0) == ["b", "a"])
    }
}
