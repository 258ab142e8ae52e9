/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Context;
import java.nio.file.Path;

/** A program of level 1. */
public final class OldApp {
    private OldApp() {}

    /** The argument is the provider's jar. */
    public static void main(String[] args) {
        Context context = BaseVerbs.open(Path.of(args[0]));
        if (context != null) {
            BaseVerbs base = new BaseVerbs(context);
            base.run();
            new Witnessed(context).run();
            base.close();
        }
        Results.line("end", "main", "works", "");
    }
}
