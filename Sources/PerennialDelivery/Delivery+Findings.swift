import Perennial

extension Delivery {
    /// What the seller should know before a customer finds out, in one sentence each.
    package func findings() async -> [String] {
        var findings: [String] = []
        let entries = catalog().entries.values.sorted { $0.app.bundleID.rawValue < $1.app.bundleID.rawValue }
        for entry in entries {
            let bundleID = entry.app.bundleID
            if entry.sharedSecret == nil, entry.app.products.contains(where: { $0.type == .autoRenewable }) {
                findings.append(
                    "\(bundleID) sells auto-renewable subscriptions and has no shared secret: the store will refuse its "
                        + "subscribers' receipts; say sharedSecret in the catalog, or PERENNIAL_SHARED_SECRET")
            }
            for content in entry.contents {
                do {
                    _ = try await library.size(of: content.file)
                } catch {
                    findings.append("the content \(content.id) of \(bundleID) can't be delivered: \(error)")
                }
            }
        }
        return findings
    }

    /// Computes the digests that aren't known yet, so that the first customer doesn't wait for them.
    package func computeDigests() async {
        _ = await library.facts(of: catalog().entries.values.flatMap { $0.contents.map(\.file) })
    }
}
