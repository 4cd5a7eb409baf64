import BaseEncoding
import Perennial

/// A page of a list.
package struct ListPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The cursor of the next page; `nil` on the last.
    package var next: String?

    package init(_ items: [Item], next: String? = nil) {
        (self.items, self.next) = (items, next)
    }

    /// Returns the page with other items.
    package func map<Other: Sendable>(_ make: (Item) throws -> Other) rethrows -> ListPage<Other> {
        ListPage<Other>(try items.map(make), next: next)
    }
}

/// The place in a list after which a page begins, as a text: a key of the last row, which stays the same when rows are added.
package enum ListCursor {
    /// The form of a cursor of one number.
    package static let number = "^[0-9]{1,18}$"
    /// The form of a cursor of two numbers.
    package static let pair = "^[0-9]{1,18}-[0-9]{1,18}$"
    /// The form of a cursor with a name: its bytes in hexadecimal, without NUL.
    package static let name = "^(?:0[1-9a-f]|[1-9a-f][0-9a-f]){1,1024}$"

    /// - Throws: ``StoreError`` `.malformed`.
    static func numbers(_ text: String, count: Int) throws -> [Int64] {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { TransactionID($0)?.rawValue }
        guard parts.count == count, numbers.count == count else { throw malformed(text) }
        return numbers
    }

    static func text(_ numbers: Int64...) -> String { numbers.map { "\($0)" }.joined(separator: "-") }

    /// Returns the cursor of a row with a name.
    static func text(name: String) -> String { Hexadecimal.encode(name.utf8) }

    /// - Throws: ``StoreError`` `.malformed`.
    static func name(_ text: String) throws -> String {
        guard let bytes = Hexadecimal.decode(text), !bytes.isEmpty, !bytes.contains(0) else { throw malformed(text) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func malformed(_ text: String) -> StoreError {
        StoreError(.malformed, "after", "after is the next of an earlier page of this list")
    }
}

/// Reads a page of rows that meet a condition, and no more rows than a page may take: its time doesn't grow with the list.
///
/// A page whose condition few rows meet is shorter than its limit, even empty, and has a cursor: the next page reads on.
struct PageReader<Row, Place> {
    /// The most rows that a page reads.
    static var maximumRows: Int { 2000 }
    private static var chunk: Int { 250 }

    var limit: Int
    /// The most rows to read.
    var rows = Self.maximumRows
    /// Returns rows after a place, in order.
    var read: (_ after: Place, _ limit: Int) throws -> [Row]
    var place: (Row) -> Place

    /// - Parameter isMatch: The condition; `nil` for none.
    /// - Returns: The rows, and the place after which the next page begins; `nil` if the list has ended.
    func page(after start: Place, _ isMatch: ((Row) throws -> Bool)?) throws -> (rows: [Row], next: Place?) {
        guard let isMatch else {
            let rows = try read(start, limit + 1)
            return (Array(rows.prefix(limit)), rows.count > limit ? place(rows[limit - 1]) : nil)
        }
        var (found, last, left): ([Row], Place, Int) = ([], start, rows)
        while left > 0 {
            let count = min(left, max(limit + 1, Self.chunk))
            let rows = try read(last, count)
            for row in rows {
                if try isMatch(row) {
                    guard found.count < limit else { return (found, last) }
                    found.append(row)
                }
                last = place(row)
            }
            left -= rows.count
            guard rows.count == count else { return (found, nil) }
        }
        return (found, last)
    }
}
