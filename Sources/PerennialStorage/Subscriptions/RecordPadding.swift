/// The spaces in a record's row, before its final full stop, so that the record of the next state has the same length.
///
/// A renewal overwrites the row. On SQLite a row that gets longer may no longer fit into its page, and moving it costs more than the
/// spaces do. A decoder accepts any number of them.
package struct RecordPadding: Sendable {
    /// The number of bytes of which the row's text is a multiple.
    private let alignment: Int

    package init(alignment: Int) { self.alignment = alignment }

    /// Returns a record's text with room for the bytes that a later state is expected to add.
    package func pad(_ record: (text: String, expectedGrowth: Int)) -> String {
        let count = record.text.utf8.count
        let length = (count + record.expectedGrowth + alignment - 1) / alignment * alignment
        return record.text.dropLast() + String(repeating: " ", count: length - count) + record.text.suffix(1)
    }
}
