import Synchronization

/// Objects that live as long as a connection, one of each type, made at their first use.
final class ConnectionParts: Sendable {
    private let parts = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    func part<Part: AnyObject & Sendable>(_ make: () -> Part) -> Part {
        let id = ObjectIdentifier(Part.self)
        if let part = parts.withLock({ $0[id] }) as? Part { return part }
        // Outside of the lock, since a part may need another one. Of two parts made at once one is dropped.
        let made = make()
        return parts.withLock { parts in
            if let part = parts[id] as? Part { return part }
            parts[id] = made
            return made
        }
    }

    /// Returns a part that was made already.
    func existing<Part: AnyObject & Sendable>(_ type: Part.Type) -> Part? {
        parts.withLock { $0[ObjectIdentifier(type)] } as? Part
    }

    func removeAll() {
        // Released outside of the lock, since the end of a part may use another one.
        let released = parts.withLock { parts in
            defer { parts = [:] }
            return parts
        }
        _ = released
    }
}

extension StoreConnection {
    /// Returns the connection's object of a type, made at the first use.
    ///
    /// - Parameter make: Makes the object, which must not hold the connection strongly.
    package func part<Part: AnyObject & Sendable>(_ make: (StoreConnection) -> Part) -> Part {
        parts.part { make(self) }
    }

    /// Returns the connection's object of a type if there is one.
    package func existingPart<Part: AnyObject & Sendable>(_ type: Part.Type) -> Part? {
        parts.existing(type)
    }
}
