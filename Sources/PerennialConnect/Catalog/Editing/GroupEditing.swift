import Perennial

extension CatalogReader {
    /// Returns the group that a part belongs to, by the part's UUID. Groups whose keys are text are compared one by one.
    package func group(
        ofPart id: String, _ kind: CatalogUUID.Kind
    ) throws -> (app: Int64, key: String, group: SubscriptionGroup)? {
        guard let uuid = CatalogUUID(id), uuid.kind == kind || uuid.kind == kind.ofNamedGroup else { return nil }
        func found(_ key: String) throws -> (app: Int64, key: String, group: SubscriptionGroup)? {
            try group(key).map { ($0.app, key, $0.group) }
        }
        if let key = uuid.groupID { return try found(key) }
        for app in try apps() {
            if let key = try groupIDs(app: app.appleID).first(where: uuid.isPart(ofGroup:)) { return try found(key) }
        }
        return nil
    }
}

extension CatalogDraft {
    /// Creates a subscription group.
    ///
    /// - Returns: Its key.
    /// - Throws: ``CatalogEditError`` `.notFound` for an unknown app, `.duplicate` for a name that a group of the app has,
    ///   `.required` or `.invalid` for a bad name.
    package func createGroup(_ referenceName: String, app appleID: Int64) throws -> String {
        guard try app(appleID) != nil else {
            throw CatalogEditError(.notFound, at: .relationship("app"), "There is no app with the Apple ID \(appleID).")
        }
        var group = SubscriptionGroup(id: String(try nextNumber()), referenceName: "")
        try group.rename(referenceName)
        try refuseUsedName(referenceName, app: appleID, except: group.id)
        group.store(group.textVersions)
        return try insert(group, app: appleID)
    }

    /// Changes a group's name in the seller's lists.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, `.duplicate`, `.required` or `.invalid`.
    package func renameGroup(_ key: String, _ referenceName: String) throws {
        guard let found = try group(key) else { throw unknownGroup(key) }
        try refuseUsedName(referenceName, app: found.app, except: key)
        try update(group: key) { try $0.rename(referenceName) }
    }

    /// Deletes a group without subscriptions.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, or `.state` if it has subscriptions.
    package func deleteGroup(_ key: String) throws {
        guard let found = try group(key) else { throw unknownGroup(key) }
        guard !found.group.currentVersion.state.isInFlight else {
            throw CatalogEditError(.stateInvalid, "The group is in a submission: withdraw it before you delete it.")
        }
        let count = try productIDs(group: key).count
        guard count == 0 else {
            throw CatalogEditError(
                .state, "The group has \(count) subscription\(count == 1 ? "" : "s"): delete them first.")
        }
        try delete(group: key)
    }

    private func unknownGroup(_ key: String) -> CatalogEditError {
        CatalogEditError(.notFound, "There is no subscription group with the ID '\(key)'.")
    }

    private func refuseUsedName(_ name: String, app: Int64, except key: String) throws {
        for other in try groupIDs(app: app) where other != key {
            if try group(other)?.group.referenceName == name {
                throw CatalogEditError(
                    .duplicate, at: .attribute("referenceName"), "The reference name '\(name)' has already been used.")
            }
        }
    }
}
