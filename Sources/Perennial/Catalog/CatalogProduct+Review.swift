extension CatalogProduct {
    /// Moves the current version by a step of its review. Before the first approval the product's state follows.
    ///
    /// - Parameter reason: The reviewer's reason for a rejection.
    /// - Throws: ``CatalogEditError`` `.stateInvalid` if the step doesn't start from the version's state; for a submission
    ///   of an incomplete product with what it lacks in `associated`.
    package mutating func review(_ step: ReviewStep, reason: String? = nil) throws {
        switch step {
        case .addToSubmission, .submit:
            try checkCompleteness()
            if [.rejected, .developerRejected].contains(currentVersion.state) { try createVersion() }
        default: break
        }
        let wasApproved = wasApproved
        try take(step)
        switch step {
        case .reject: listing.rejectionReason = reason
        case .submit, .approve: listing.rejectionReason = nil
        default: break
        }
        guard !wasApproved else { return }
        switch step {
        case .submit: product.state = .waitingForReview
        case .startReview, .accept: product.state = .inReview
        case .approve: product.state = .approved
        case .reject: product.state = .rejected
        case .withdraw: product.state = .readyToSubmit
        case .addToSubmission, .removeFromSubmission: break
        }
    }

    /// Checks that the product has all that its review needs. An approved product needs a localization only.
    private func checkCompleteness() throws {
        let missing = wasApproved ? missingMetadata.filter { $0 == .localization } : missingMetadata
        guard !missing.isEmpty else { return }
        throw CatalogEditError(
            .stateInvalid, "This resource cannot be reviewed, please check associated errors to see why.",
            associated: missing.map {
                CatalogEditError(
                    .required, at: $0.place(renews: product.type.renews), "The product has no \($0.rawValue).")
            })
    }
}

extension CatalogProduct {
    /// Removes an approved product from sale as App Review does, or puts it back.
    ///
    /// - Throws: ``CatalogEditError`` `.stateInvalid` if the product isn't approved.
    package mutating func setRemovedFromSale(_ isRemoved: Bool) throws {
        guard wasApproved else {
            throw CatalogEditError(.stateInvalid, "The product \(id) isn't approved: only approved ones are removed.")
        }
        product.state = isRemoved ? .removedFromSale : .approved
    }
}

extension SubscriptionGroup {
    /// Moves the current version by a step of its review.
    ///
    /// - Throws: ``CatalogEditError`` `.stateInvalid` if the step doesn't start from the version's state, or if a group
    ///   without a name is submitted.
    package mutating func review(_ step: ReviewStep) throws {
        if step == .addToSubmission || step == .submit {
            guard !currentVersion.localizations.isEmpty else {
                throw CatalogEditError(
                    .stateInvalid, "This resource cannot be reviewed, please check associated errors to see why.",
                    associated: [
                        CatalogEditError(
                            .required, at: .relationship("subscriptionGroupLocalizations"),
                            "The group has no localization.")
                    ])
            }
            if [.rejected, .developerRejected].contains(currentVersion.state) { try createVersion() }
        }
        try take(step)
    }
}
