import JobModel
import SourceCore
import Vocabulary

/// Items that go to the queue of a fleet, whose other nodes have neither the recipe nor its secrets.
extension PageItem {
    /// Refuses an item for which a secret header field would be sent.
    static func checkForFleet(
        _ url: JobURL,
        _ recipe: Recipe,
        _ variables: Variables
    ) throws(Problem) {
        let isSecret = recipe.headers.contains { header in
            switch header.value {
            case .secret: true
            case .text(let template):
                template.names.contains { name in
                    recipe.variables.contains { $0.name == name && $0.secret != nil }
                }
            }
        }
        guard isSecret, let home = recipe.home(variables), let target = URLOrigin(URLReference(url.text)),
            home.covers(target)
        else { return }
        throw .notForFleet
    }

    /// Returns the item as it is handed to the fleet; `least` is the least number that it gets.
    ///
    /// An object of a bucket gets the URL at which everybody finds it.
    func handed(least: Int64, of recipe: Recipe, region: String?) -> HandedItem {
        var url = job.url.text
        if job.url.isObject {
            var endpoint = S3Endpoint(recipe.s3 ?? S3Settings())
            if let region { endpoint.region = region }
            let object = S3Request.object(
                bucket: job.url.host,
                key: PercentEncoding.decode(job.url.path.dropFirst()),
                endpoint: endpoint,
                signs: false
            )
            url = object.url
        }
        var item = HandedItem(id: least, source: recipe.name, url: url, priority: job.priority)
        item.name = job.name
        item.folder = job.options.folder?.path
        item.sha256 = job.options.expectedSHA256
        item.meta = job.options.meta?.text
        return item
    }
}

extension PageItem.Problem {
    /// The refusal of an item that only the daemon with the source could fetch.
    static let notForFleet = Self(
        message:
            "job.url: it needs a secret of the source, or has a password, and with queue: fleet other nodes "
            + "fetch it, which don't have those"
    )
}
