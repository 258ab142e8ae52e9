/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Context;
import java.nio.file.Path;

/** A program of level 3: it does what that of level 2 does, then what came with level 3. */
public final class CompletionsApp {
    private CompletionsApp() {}

    /** The argument is the provider's jar. */
    public static void main(String[] args) {
        Context context = BaseVerbs.open(Path.of(args[0]));
        if (context != null) {
            BaseVerbs base = new BaseVerbs(context);
            base.run();
            new XrcVerbs(context, base).run();
            new CompletionVerbs(context, base).run();
            new MemoryVerbs(context, base).run();
            new OperationVerbs(context, base).run();
            new WitnessedMemory(context).run();
            base.close();
        }
        Results.line("end", "main", "works", "");
    }
}
