/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Context;
import java.nio.file.Path;

/** A program of level 2: it does what the old one does, then what came with level 2. */
public final class NewApp {
    private NewApp() {}

    /** The argument is the provider's jar. */
    public static void main(String[] args) {
        Context context = BaseVerbs.open(Path.of(args[0]));
        if (context != null) {
            BaseVerbs base = new BaseVerbs(context);
            base.run();
            new XrcVerbs(context, base).run();
            new WitnessedXrc(context).run();
            base.close();
        }
        Results.line("end", "main", "works", "");
    }
}
