/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Context;
import io.verbs4j.FutureVerb;
import java.nio.file.Path;

/** A program of a level that nobody has written yet: the old verbs, then the one that is to come. */
public final class FutureApp {
    private FutureApp() {}

    /** The argument is the provider's jar. */
    public static void main(String[] args) {
        Context context = BaseVerbs.open(Path.of(args[0]));
        if (context != null) {
            BaseVerbs base = new BaseVerbs(context);
            base.run();
            Results.step("new", "future_verb", () -> String.valueOf(FutureVerb.call(context)));
            new Witnessed(context).run();
            base.close();
        }
        Results.line("end", "main", "works", "");
    }
}
