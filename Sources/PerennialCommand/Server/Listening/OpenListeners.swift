/// Waits for all listeners, then reports once that the server is open.
actor OpenListeners {
    struct Ports: Sendable {
        var plain = 0
        var secure: Int?
    }

    private var ports = Ports()
    private var missing: Int
    private let whenOpen: @Sendable (Ports) -> Void

    init(expecting count: Int, whenOpen: @escaping @Sendable (Ports) -> Void) {
        missing = count
        self.whenOpen = whenOpen
    }

    func opened(plain port: Int) {
        ports.plain = port
        oneMore()
    }

    func opened(secure port: Int) {
        ports.secure = port
        oneMore()
    }

    private func oneMore() {
        missing -= 1
        if missing == 0 { whenOpen(ports) }
    }
}
