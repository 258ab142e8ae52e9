/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The provider of Gaudi's NICs: contexts, and the device's own rules. */
package io.verbs4j.provider.gaudi;
