/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.lanes.TextCompilers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device code of this provider is valid C, C++ and CUDA. */
class DeviceCodeTextTest {
    @Test
    void textCompiles(@TempDir Path folder) throws Exception {
        TextCompilers.all(folder, DeviceCode.of(new DeviceRings(null).code()));
    }
}
