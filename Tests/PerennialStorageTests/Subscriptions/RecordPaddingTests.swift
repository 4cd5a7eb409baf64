import PerennialStorage
import Testing

struct RecordPaddingTests {
    private static let padding = RecordPadding(alignment: 16)

    @Test(arguments: [0, 1, 7, 100])
    func `a row has room for the growth, and its length is a multiple`(growth: Int) {
        for count in 1...40 {
            let text = String(repeating: "a", count: count - 1) + "."
            let padded = Self.padding.pad((text, growth))
            #expect(padded.utf8.count >= count + growth && padded.utf8.count < count + growth + 16)
            #expect(padded.utf8.count.isMultiple(of: 16))
            #expect(padded.filter { $0 != " " } == text)
            #expect(padded.hasSuffix("."))
        }
    }

    @Test func `characters count by their bytes`() {
        let padded = Self.padding.pad(("äöü€.", 0))
        #expect(padded.utf8.count == 16)
        #expect(padded == "äöü€      .")
    }
}
