/// A part that is mostly missing, or seldom looked at: it is kept beside the value that has it, and shared by its copies. A
/// subscription is copied at every step of its life, and a copy costs as much as all that lies in it.
@propertyWrapper
package struct Aside<Part: Sendable>: Sendable {
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

extension Aside: Equatable where Part: Equatable {
    package static func == (left: Aside, right: Aside) -> Bool {
        left.box === right.box || left.wrappedValue == right.wrappedValue
    }
}

extension Aside: Hashable where Part: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}
