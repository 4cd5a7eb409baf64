/// A list whose copies share their parts: a change of one copy copies one part, not all elements.
///
/// The vault's readers hold the state before a change, so that each change works on a copy.
package struct SharedList<Element: Sendable>: RandomAccessCollection, Sendable {
    /// All parts but the last one are full.
    private var parts: [[Element]] = []
    package private(set) var count = 0

    /// Elements of a part, as a number of bits.
    private static var bits: Int { 6 }
    private static var partSize: Int { 1 << bits }

    package init() {}

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(position: Int) -> Element {
        get { parts[position >> Self.bits][position & (Self.partSize - 1)] }
        _modify { yield &parts[position >> Self.bits][position & (Self.partSize - 1)] }
    }

    mutating func append(_ element: Element) {
        if count & (Self.partSize - 1) == 0 {
            var part: [Element] = []
            part.reserveCapacity(Self.partSize)
            parts.append(part)
        }
        parts[parts.count - 1].append(element)
        count += 1
    }

    /// Inserts an element. Copies all elements.
    mutating func insert(_ element: Element, at position: Int) {
        var elements = Array(self)
        elements.insert(element, at: position)
        replace(by: elements)
    }

    /// Removes elements. Copies all others.
    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        replace(by: filter { !isRemoved($0) })
    }

    private mutating func replace(by elements: [Element]) {
        self = SharedList()
        elements.forEach { append($0) }
    }
}

extension SharedList: Equatable where Element: Equatable {
    package static func == (one: Self, other: Self) -> Bool { one.elementsEqual(other) }
}
