/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.model;

import io.verbs4j.Device;

/** An embedded device that reports only some of its abilities. */
final class ModelDevice extends Device {
    final Device embedded;
    final Model model;

    ModelDevice(Device embedded, Model model) {
        super(
                model.name() + "_" + embedded.name(),
                embedded.guid(),
                embedded.nodeType(),
                embedded.transportType(),
                embedded.kind());
        this.embedded = embedded;
        this.model = model;
    }
}
