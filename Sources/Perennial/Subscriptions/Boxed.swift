/// Rarely used state, boxed to keep the value small.
///
/// The box is immutable and shared by copies. A subscription is copied at every step, and a copy costs as much as the
/// value's size.
@propertyWrapper
package struct Boxed<Part: Sendable>: Sendable {
    private final class Box: Sendable {
        let part: Part

        init(_ part: Part) {
            self.part = part
        }
    }

    private var box: Box?

    package init(wrappedValue: Part?) {
        box = wrappedValue.map(Box.init)
    }

    package var wrappedValue: Part? {
        get { box?.part }
        set { box = newValue.map(Box.init) }
    }
}

extension Boxed: Equatable where Part: Equatable {
    package static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension Boxed: Hashable where Part: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}
