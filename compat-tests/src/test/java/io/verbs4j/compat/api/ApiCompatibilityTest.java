/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.frozen.FrozenFolder;
import io.verbs4j.compat.frozen.FrozenLevel;
import io.verbs4j.compat.frozen.Released;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that this build breaks nothing in any frozen level. */
class ApiCompatibilityTest {
    @TempDir
    Path scratch;

    @Test
    void buildKeepsFrozenLevelsIntact() {
        FrozenFolder folder = FrozenFolder.ofThisProject();
        Release now = Release.ofThisBuild(scratch);
        for (FrozenLevel level : folder.requireLevels()) {
            List<String> violations = ApiGate.violations(Release.of(level), now);
            assertThat(violations)
                    .as(
                            "changes that this build makes to level %d. Undo them, and add new API beside the old. %s",
                            level.level(), wayOut(folder, level))
                    .isEmpty();
        }
    }

    /** The vendors' packages may grow. A removed member must have been deprecated for one release. */
    @Test
    void buildRemovesOnlyDeprecatedVendorApi() {
        List<FrozenLevel> levels = FrozenFolder.ofThisProject().requireLevels();
        FrozenLevel before = levels.get(levels.size() - 1);
        assertThat(ApiGate.violationsOfVendors(Release.of(before), Release.ofThisBuild(scratch)))
                .as("what this build removes from the vendors' packages. Deprecate it now, and remove it later")
                .isEmpty();
    }

    private static String wayOut(FrozenFolder folder, FrozenLevel level) {
        return Released.in(folder.path()).contains(level.level())
                ? "The level is released: there is no other way."
                : "The level is not released yet: if the level itself is wrong, commit the change and run"
                        + " compat-tests/freeze " + level.level() + " --refreeze \"why\".";
    }
}
