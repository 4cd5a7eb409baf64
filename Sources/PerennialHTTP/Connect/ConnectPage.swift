import BaseEncoding
import FastJSON
import Foundation

/// The opaque position of a page in a list: base64 of `{"offset":"20"}`.
enum ConnectCursor {
    static func text(_ offset: Int) -> String { Base64.encode(Array(#"{"offset":"\#(offset)"}"#.utf8)) }

    /// - Returns: `nil` for another text.
    static func offset(_ text: String) -> Int? {
        guard text.utf8.count <= 64, let bytes = Base64.decode(text) else { return nil }
        var scanner = JSONScanner(bytes)
        var offset: Int?
        let isScanned: Void? = try? scanner.scanObject { name, value in
            if name == "offset" { offset = value.string.flatMap { Int($0) } }
        }
        guard isScanned != nil, let offset, offset >= 0 else { return nil }
        return offset
    }
}

/// The part of a list that a request asks for.
struct ConnectPage<Element: Sendable>: Sendable {
    let elements: [Element]
    /// The number of elements in the whole list.
    let total: Int
    let query: ConnectQuery

    /// A page of a list that is in memory.
    init(of all: [Element], _ query: ConnectQuery) {
        elements = Array(all.dropFirst(query.offset).prefix(query.limit))
        total = all.count
        self.query = query
    }

    /// The position after this page; `nil` on the last one.
    var next: Int? {
        let end = query.offset.addingReportingOverflow(elements.count)
        return elements.isEmpty || end.overflow || end.partialValue >= total ? nil : end.partialValue
    }

    func map<Value: Sendable>(_ transform: (Element) throws -> Value) rethrows -> ConnectPage<Value> {
        ConnectPage<Value>(elements: try elements.map(transform), total: total, query: query)
    }

    private init(elements: [Element], total: Int, query: ConnectQuery) {
        (self.elements, self.total, self.query) = (elements, total, query)
    }
}
