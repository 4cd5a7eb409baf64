extension ConnectTables {
    /// Subscription groups.
    static let groups = """
        subscriptionGroups v1
          referenceName text post! patch
          subscriptions *subscriptions data links
          subscriptionGroupLocalizations *subscriptionGroupLocalizations data links
          versions *subscriptionGroupVersions data links
          app >apps post!
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0
          GET {id}/relationships/subscriptionGroupLocalizations 4.0 deprecated
          GET {id}/relationships/subscriptions 4.0
          GET {id}/relationships/versions 4.4.1
          GET {id}/subscriptionGroupLocalizations 2.0 deprecated
          GET {id}/subscriptions 2.0 filter=productId,name,state sort=name
          GET {id}/versions 4.4.1 filter=state

        subscriptionGroupLocalizations v1
          name text post! patch
          customAppName text post patch
          locale text post!
          state LocalizationState
          subscriptionGroup >subscriptionGroups data post!
          POST - 2.0 deprecated
          GET {id} 2.0 deprecated
          PATCH {id} 2.0 deprecated
          DELETE {id} 2.0 deprecated

        subscriptionGroupLocalizations.v2 v2
          name text post! patch
          customAppName text post patch
          locale text post!
          version >subscriptionGroupVersions data post!
          POST - 4.4.1
          GET {id} 4.4.1
          PATCH {id} 4.4.1
          DELETE {id} 4.4.1

        subscriptionGroupVersions v1
          version integer
          state VersionState
          subscriptionGroup >subscriptionGroups data post!
          localizations *subscriptionGroupLocalizations.v2 data links
          POST - 4.4.1
          GET {id} 4.4.1
          GET {id}/localizations 4.4.1
          GET {id}/relationships/localizations 4.4.1

        subscriptionGroupSubmissions v1
          subscriptionGroup >subscriptionGroups post!
          POST - 2.0 deprecated
        """
}
