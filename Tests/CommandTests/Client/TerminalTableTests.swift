import Testing

@testable import PerennialCommand

struct TerminalTableTests {
    private static let table = TerminalTable(
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

    @Test(arguments: 18...70)
    func `no line is wider than the terminal, and no word is broken`(columns: Int) {
        let text = Self.table.text(columns: columns)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
        let words = Set(text.split(whereSeparator: \.isWhitespace))
        #expect(words == Set(Self.table.text(columns: nil).split(whereSeparator: \.isWhitespace)))
    }

    @Test func `a table whose words don't fit is a list for each row`() {
        #expect(
            Self.table.text(columns: 24) == """
                ID      2000000000000002
                REASON  the row of the
                        subscription
                        can't be read

                ID      1
                REASON  short
                """)
    }

    @Test func `a word that is too long beside its name is below it`() {
        let table = TerminalTable(["NOTIFICATION", "STATE"], [["7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d", "failing"]])
        #expect(
            table.text(columns: 40) == """
                NOTIFICATION
                  7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d
                STATE         failing
                """)
    }

    @Test(arguments: [("王小明", 6), ("e\u{301}", 1), ("Ａ", 2), ("🙂", 2), ("❤️", 2), ("é", 1), ("フィルム", 8), ("", 0)])
    func `wide characters take two columns`(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test func `columns with wide characters are aligned`() {
        let table = TerminalTable(["ACCOUNT", "STATE"], [["王小明", "paid"], ["ann", "paid"]])
        #expect(
            table.text(columns: nil) == """
                ACCOUNT  STATE
                王小明   paid
                ann      paid
                """)
    }

    @Test(arguments: [("60", 60), ("0", nil), ("wide", nil), (nil, nil)] as [(String?, Int?)])
    func `COLUMNS says the width`(value: String?, columns: Int?) {
        let variables = value.map { ["COLUMNS": $0] } ?? [:]
        #expect(Terminal.OutputStream.columns(of: -1, variables) == columns)
    }

    @Test func `line breaks in a cell don't break the table`() {
        #expect(TerminalTable([("a", "one\ntwo"), ("b", nil)]).text(columns: nil) == "a  one two")
    }

    @Test func `colour is for terminals only`() {
        // The descriptor of a test's output is a pipe or a file.
        let stream = Terminal.OutputStream(-1)
        #expect(stream.columns == nil && !stream.isColoured)
        #expect(stream.styled("text", .red) == "text")
    }
}
