/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests that let gcc check the layouts and constants. */
package io.verbs4j.provider.gaudi.oracle;
