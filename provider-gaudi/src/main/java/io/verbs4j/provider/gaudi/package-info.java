/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The provider of Gaudi's NICs: contexts, and the rules that the device has of its own. */
package io.verbs4j.provider.gaudi;
