/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import java.nio.file.Path;

/** A program of level 4: it does what that of level 3 does, then what came with level 4. */
public final class SharingApp {
    private SharingApp() {}

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
            MemoryVerbs.lacks(context, 4, ContextSlot.LEVEL_3_COUNT, ContextSlot.LEVEL_4_COUNT);
            new SharedVerbs(context, base).run();
            new EthernetVerbs(context, base).run();
            new CountedVerbs(context, base).run();
            new BufferVerbs(context, base).run();
            new WitnessedDma(context).run();
            base.close();
        }
        Results.line("end", "main", "works", "");
    }
}
