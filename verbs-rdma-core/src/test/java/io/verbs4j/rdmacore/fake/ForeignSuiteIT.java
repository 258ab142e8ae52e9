/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.testsupport.Full;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All tests of this module with the JDK's foreign function API. */
@Full
class ForeignSuiteIT {
    @Test
    void everyTestPasses(@TempDir Path scratch) throws IOException, InterruptedException {
        ModuleSuite.passes(scratch, "(?!.*(QpExFunctions|IbvQp)).*Test", "ffm", "the JDK's", "[1-9][0-9]{2,}");
    }

    /** In these tests data verbs are Java functions; a critical call of those would end the JVM. */
    @Test
    void everyTestOfPostsPasses(@TempDir Path scratch) throws IOException, InterruptedException {
        String option = "-D" + NativeBinding.CRITICAL + "=false";
        ModuleSuite.passes(scratch, ".*(QpExFunctions|IbvQp)Test", "ffm", "the JDK's", "[1-9][0-9]+", option);
    }
}
