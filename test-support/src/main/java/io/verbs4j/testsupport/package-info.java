/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What every module's tests share. */
package io.verbs4j.testsupport;
