import Testing

@testable import PerennialCommand

struct TextTableTests {
    private static let table = TextTable(
        ["ID", "REASON"], [["2000000000000002", "the row of the subscription can't be read"], ["1", "short"]])

    @Test func `columns are as wide as their widest cell`() {
        #expect(
            Self.table.text(columns: nil) == """
                ID                REASON
                2000000000000002  the row of the subscription can't be read
                1                 short
                """)
    }

    @Test func `a table that is too wide continues cells on further lines`() {
        #expect(
            Self.table.text(columns: 40) == """
                ID                REASON
                2000000000000002  the row of the
                                  subscription can't be
                                  read
                1                 short
                """)
    }

    @Test(arguments: 20...70)
    func `no line is wider than the terminal, and no letter is lost`(columns: Int) {
        let lines = Self.table.text(columns: columns).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= columns })
        let letters = lines.joined().filter { !$0.isWhitespace }.sorted()
        #expect(letters == Self.table.text(columns: nil).filter { !$0.isWhitespace }.sorted())
    }

    @Test func `line breaks in a cell don't break the table`() {
        #expect(TextTable([("a", "one\ntwo"), ("b", nil)]).text(columns: nil) == "a  one two")
    }

    @Test func `colour is for terminals only`() {
        // The descriptor of a test's output is a pipe or a file.
        let stream = Terminal.OutputStream(-1)
        #expect(stream.columns == nil && !stream.isColoured)
        #expect(stream.styled("text", .red) == "text")
    }
}
